//! Layers of derived variables.
//!
//! The body of an axiom may require a derived variable of the same layer to be
//! true, and one of a lower layer to be true or false. Variables that depend on
//! each other are in one strongly connected component and share a layer. Each
//! component gets the lowest layer that its dependencies allow; Tarjan's
//! algorithm yields them in the right order, each after all that it depends on.

use crate::encoded::EncodedTask;

/// The layer of each derived variable or, as an error, a variable that depends
/// on its own negation.
pub(crate) fn layers(task: &EncodedTask) -> Result<Vec<Option<u32>>, u32> {
    let mut dependencies = vec![Vec::new(); task.sizes.len()];
    for axiom in &task.axioms {
        for pair in &axiom.body {
            if task.is_derived[pair.variable as usize] {
                let is_negative = pair.value == task.initial[pair.variable as usize];
                dependencies[axiom.head.variable as usize].push((pair.variable, is_negative));
            }
        }
    }
    let mut layer_of: Vec<Option<u32>> = vec![None; task.sizes.len()];
    for component in components(&dependencies) {
        let depends = || component.iter().flat_map(|&member| &dependencies[member as usize]);
        let mut layer = 0;
        for &(variable, is_negative) in depends() {
            match layer_of[variable as usize] {
                // It has no layer yet, so it is in this component.
                None if is_negative => return Err(variable),
                None => {}
                Some(below) => layer = layer.max(below + u32::from(is_negative)),
            }
        }
        for &member in &component {
            layer_of[member as usize] = Some(layer);
        }
    }
    for (variable, layer) in layer_of.iter_mut().enumerate() {
        layer.take_if(|_| !task.is_derived[variable]);
    }
    Ok(layer_of)
}

/// The strongly connected components, each after all that it depends on.
fn components(dependencies: &[Vec<(u32, bool)>]) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    const DONE: u32 = u32::MAX - 1;
    let mut found = Vec::new();
    let mut index = vec![NEW; dependencies.len()];
    let mut low = vec![0; dependencies.len()];
    let mut open = Vec::new();
    let mut count = 0;
    for root in 0..dependencies.len() as u32 {
        let mut path = if index[root as usize] == NEW { vec![(root, 0)] } else { Vec::new() };
        while let Some((node, edge)) = path.pop() {
            let at = node as usize;
            if edge == 0 {
                index[at] = count;
                low[at] = count;
                count += 1;
                open.push(node);
            } else {
                let child = dependencies[at][edge - 1].0 as usize;
                if index[child] != DONE {
                    low[at] = low[at].min(low[child]);
                }
            }
            if let Some(&(child, _)) = dependencies[at].get(edge) {
                path.push((node, edge + 1));
                if index[child as usize] == NEW {
                    path.push((child, 0));
                }
            } else if low[at] == index[at] {
                let begin = open.iter().rposition(|&it| it == node).expect("it is open");
                let component = open.split_off(begin);
                for &member in &component {
                    index[member as usize] = DONE;
                }
                found.push(component);
            }
        }
    }
    found
}
