//! States as bytes: as few bits as the values need, one variable after the other.

use hipot_task::{Task, Value};

/// How states are written: the variables that operators set, in order, each with as many bits
/// as its largest value needs, the highest bit first. Zeros fill the last byte.
#[derive(Clone, Debug)]
pub struct StateCode {
    fields: Vec<Field>,
    width: usize,
}

/// The bits of one variable.
#[derive(Clone, Copy, Debug)]
struct Field {
    variable: usize,
    bits: u32,
    /// The number of values.
    size: u32,
}

impl StateCode {
    /// The code for the states of `task`.
    pub fn new(task: &Task) -> Self {
        let variables = task.variables().iter().enumerate();
        let fields: Vec<Field> = variables
            .filter(|(_, it)| it.axiom_layer.is_none() && it.domain_size() > 1)
            .map(|(variable, it)| {
                let size = it.domain_size();
                Field { variable, bits: u32::BITS - (size - 1).leading_zeros(), size }
            })
            .collect();
        let bits: usize = fields.iter().map(|field| field.bits as usize).sum();
        Self { fields, width: bits.div_ceil(8).max(1) }
    }

    /// The number of bytes of a state, at least 1.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Appends the bytes of the state in which each variable, by index, has this value.
    pub fn encode(&self, value: impl Fn(usize) -> Value, out: &mut Vec<u8>) {
        let end = out.len() + self.width;
        let (mut pending, mut count) = (0_u64, 0);
        for field in &self.fields {
            pending = pending << field.bits | u64::from(value(field.variable));
            count += field.bits;
            while count >= 8 {
                count -= 8;
                out.push((pending >> count) as u8);
            }
        }
        if count > 0 {
            out.push((pending << (8 - count)) as u8);
        }
        out.resize(end, 0);
    }

    /// Sets the values that `bytes` stand for; those of derived variables stay as they are. `None`
    /// if these are not the bytes of a state.
    pub(super) fn decode(&self, bytes: &[u8], values: &mut [Value]) -> Option<()> {
        let mut rest = bytes.iter();
        let (mut pending, mut count) = (0_u64, 0);
        for field in &self.fields {
            while count < field.bits {
                pending = pending << 8 | u64::from(*rest.next()?);
                count += 8;
            }
            count -= field.bits;
            let value = (pending >> count) as u32;
            pending &= (1 << count) - 1;
            if value >= field.size {
                return None;
            }
            values[field.variable] = value;
        }
        let is_filled_with_zeros = pending == 0 && rest.all(|&byte| byte == 0);
        is_filled_with_zeros.then_some(())
    }
}

#[cfg(test)]
mod tests {
    use hipot_task::{Rng, TaskBuilder, Variable};

    use super::*;

    fn code(sizes: &[u32]) -> StateCode {
        let mut builder = TaskBuilder::new(false);
        for (index, &size) in sizes.iter().enumerate() {
            let values = (0..size).map(|value| value.to_string());
            builder.add_variable(Variable::new(index.to_string(), values)).unwrap();
        }
        builder.set_initial(vec![0; sizes.len()]).unwrap();
        StateCode::new(&builder.build())
    }

    #[test]
    fn what_is_encoded_is_decoded() {
        let mut rng = Rng::new(1);
        for _ in 0..1000 {
            let sizes: Vec<u32> = (0..=rng.below(40)).map(|_| 1 + rng.below(300)).collect();
            let values: Vec<u32> = sizes.iter().map(|&size| rng.below(size)).collect();
            let code = code(&sizes);
            let mut bytes = Vec::new();
            code.encode(|variable| values[variable], &mut bytes);
            assert_eq!(bytes.len(), code.width());
            let mut decoded = vec![0; sizes.len()];
            assert_eq!(code.decode(&bytes, &mut decoded), Some(()));
            assert_eq!(decoded, values);
        }
    }

    #[test]
    fn other_bytes_are_refused() {
        let code = code(&[3, 1, 2]);
        let decode = |byte: u8| {
            let mut values = [0; 3];
            code.decode(&[byte], &mut values).map(|()| values)
        };
        assert_eq!(decode(0b1010_0000), Some([2, 0, 1]));
        assert_eq!(decode(0b1110_0000), None, "there is no value 3");
        assert_eq!(decode(0b0000_0001), None, "zeros fill the byte");
    }
}
