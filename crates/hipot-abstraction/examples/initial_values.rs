//! Initial values of saturated cost partitionings of tasks in the `.sas` format, with sizes and
//! times: `initial_values [--h2] [--seconds S] TASK.sas…`.

use std::time::{Duration, Instant};

use hipot_abstraction::cartesian::{self, abstractions, subtasks};
use hipot_abstraction::grow::grow;
use hipot_abstraction::partitioning::{self, diverse};
use hipot_abstraction::systematic::{self, systematic};
use hipot_abstraction::{Abstraction, Collection, Costs, Frame};
use hipot_analysis::h2::{self, h2};
use hipot_task::{Limits, Task};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut seconds, mut with_h2) = (15, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--seconds" => seconds = arguments.next().ok_or("a number is missing")?.parse()?,
            "--h2" => with_h2 = true,
            file => {
                let task = hipot_task::sas::read(&std::fs::read(file)?)?;
                println!("{file}");
                show(&task, with_h2, Duration::from_secs(seconds))?;
            }
        }
    }
    Ok(())
}

fn show(task: &Task, with_h2: bool, time: Duration) -> Result<(), Box<dyn std::error::Error>> {
    let limits = Limits::none();
    let begin = Instant::now();
    let found = if with_h2 { Some(h2(task, &h2::Params::default(), &limits)?) } else { None };
    println!("  h²: {:.1?}", begin.elapsed());
    let frame = Frame::new(task, found.as_ref().map(hipot_analysis::h2::H2::mutexes), &limits)?;
    let costs = Costs::new(task.operators().iter().map(|it| it.cost.into()).collect());
    let begin = Instant::now();
    let third = || limits.within(time / 3);
    let params = systematic::Params::default();
    let projections = systematic(&frame, &costs, &params, &third(), &limits)?;
    let states: usize =
        projections.iter().map(hipot_abstraction::projection::Projection::size).sum();
    println!("  {} projections, {states} states: {:.1?}", projections.len(), begin.elapsed());
    let begin = Instant::now();
    let samples = [task.initial().to_vec()];
    let grown = grow(&frame, &projections, &costs, &samples, &params, &third(), &limits)?;
    let states: usize = grown.iter().map(hipot_abstraction::projection::Projection::size).sum();
    println!("  {} grown projections, {states} states: {:.1?}", grown.len(), begin.elapsed());
    let begin = Instant::now();
    let subtasks = subtasks(&frame, &limits)?;
    let cartesian =
        abstractions(&frame, &subtasks, &cartesian::Params::default(), &third(), &limits)?;
    let states: usize = cartesian.iter().map(hipot_abstraction::cartesian::Cartesian::size).sum();
    let transitions: usize =
        cartesian.iter().map(hipot_abstraction::cartesian::Cartesian::transition_count).sum();
    println!(
        "  {} of {} subtasks, {states} states, {transitions} transitions: {:.1?}",
        cartesian.len(),
        subtasks.len(),
        begin.elapsed()
    );
    let projections: Vec<Abstraction> = projections.into_iter().map(Abstraction::from).collect();
    let cartesian: Vec<Abstraction> = cartesian.into_iter().map(Abstraction::from).collect();
    let grown: Vec<Abstraction> = grown.into_iter().map(Abstraction::from).collect();
    let grown: Vec<Abstraction> = projections.iter().chain(&grown).cloned().collect();
    let both = grown.iter().chain(&cartesian).cloned().collect();
    for (name, all) in
        [("projections", projections), ("grown", grown), ("cartesian", cartesian), ("both", both)]
    {
        let begin = Instant::now();
        let collection = Collection::new(&frame, all, &limits)?;
        let Some(initial) = collection.states(task.initial()) else {
            println!("  {name}: unsolvable");
            continue;
        };
        println!("  {name}: {:.1?}", begin.elapsed());
        let params = partitioning::Params { max_orders: 1, ..Default::default() };
        let (_, first) = diverse(&collection, &costs, &initial, &[], &params, &third(), &limits)?;
        println!("  {name}: {} in {:.1?}", first.value(&initial), begin.elapsed());
    }
    Ok(())
}
