//! What can be read, assigned and pointed to, and random choices among it.

use super::{Generator, binary};
use crate::ast::{Declaration, Expression, Operator, Place, Shape, Type, Variable};

impl Generator {
    pub(super) fn index(&mut self) -> Box<Expression> {
        let counters: Vec<Variable> = (0..self.locals.len())
            .map(Variable::Local)
            .filter(|&variable| self.declaration(variable).counts_to.is_some())
            .collect();
        Box::new(match self.random.below(4) {
            0 if !counters.is_empty() => {
                Expression::Read(Place::Variable(*self.random.pick(&counters)))
            }
            1 => Expression::Constant(self.random.between(0, 3)),
            2 => {
                let input = Expression::Input(self.random.below(self.program.input.len()));
                let offset = Expression::Constant(self.random.between(1, 3));
                binary(Operator::Add, input, offset)
            }
            _ => Expression::Input(self.random.below(self.program.input.len())),
        })
    }

    pub(super) fn declaration(&self, variable: Variable) -> &Declaration {
        match variable {
            Variable::Global(index) => &self.program.globals[index],
            Variable::Local(index) => &self.locals[index],
        }
    }

    pub(super) fn variables(&self, only_global: bool) -> Vec<Variable> {
        let globals = (0..self.program.globals.len()).map(Variable::Global);
        let locals = (0..self.locals.len()).map(Variable::Local);
        match only_global {
            true => globals.collect(),
            // Locals twice, so that they are used as often as globals.
            false => globals.chain(locals.clone()).chain(locals).collect(),
        }
    }

    /// Something to read, or to assign.
    pub(super) fn scalar_place(&mut self, assigned: bool) -> Option<Place> {
        let variables: Vec<Variable> = self
            .variables(false)
            .into_iter()
            .filter(|&variable| !assigned || self.declaration(variable).counts_to.is_none())
            .collect();
        if variables.is_empty() {
            return None;
        }
        let variable = *self.random.pick(&variables);
        let field = self.random.below(self.program.fields.len());
        let unchecked = self.settings.faults && self.random.chance(12);
        Some(match self.declaration(variable).shape {
            Shape::Scalar(_) => Place::Variable(variable),
            Shape::Array(..) if unchecked => Place::UncheckedElement(variable, self.index()),
            Shape::Array(..) => Place::Element(variable, self.index()),
            Shape::Struct => Place::Field(variable, field),
            Shape::StructArray(_) => Place::ElementField(variable, self.index(), field),
            Shape::Pointer(_) => Place::Pointee(variable),
            Shape::StructPointer => Place::PointeeField(variable, field),
        })
    }

    /// A type of which there is something to point to.
    pub(super) fn pointable_type(&mut self, global: bool) -> Option<Type> {
        let mut types = Vec::new();
        for variable in self.variables(global) {
            let declaration = self.declaration(variable);
            match declaration.shape {
                Shape::Scalar(ty) if declaration.counts_to.is_none() => types.push(ty),
                Shape::Array(ty, _) => types.push(ty),
                Shape::Struct | Shape::StructArray(_) => types.extend(&self.program.fields),
                _ => {}
            }
        }
        (!types.is_empty()).then(|| *self.random.pick(&types))
    }

    /// Something of this type whose address can be taken.
    pub(super) fn place_of_type(&mut self, wanted: Type, global: bool) -> Option<Place> {
        let field = self.program.fields.iter().position(|&ty| ty == wanted);
        let mut places = Vec::new();
        for variable in self.variables(global) {
            let declaration = self.declaration(variable);
            let constant = Box::new(Expression::Constant(0));
            match (&declaration.shape, field) {
                (Shape::Scalar(ty), _) if *ty == wanted && declaration.counts_to.is_none() => {
                    places.push(Place::Variable(variable));
                }
                (Shape::Array(ty, _), _) if *ty == wanted => {
                    places.push(Place::Element(variable, constant));
                }
                (Shape::Struct, Some(field)) => places.push(Place::Field(variable, field)),
                (Shape::StructArray(_), Some(field)) => {
                    places.push(Place::ElementField(variable, constant, field));
                }
                _ => {}
            }
        }
        if places.is_empty() {
            return None;
        }
        let place = self.random.pick(&places).clone();
        Some(self.indexed(place, global))
    }

    pub(super) fn struct_place(&mut self, global: bool) -> Option<Place> {
        let mut places = Vec::new();
        for variable in self.variables(global) {
            match self.declaration(variable).shape {
                Shape::Struct => places.push(Place::Variable(variable)),
                Shape::StructArray(_) => {
                    let constant = Box::new(Expression::Constant(0));
                    places.push(Place::StructElement(variable, constant));
                }
                _ => {}
            }
        }
        if places.is_empty() {
            return None;
        }
        let place = self.random.pick(&places).clone();
        Some(self.indexed(place, global))
    }

    /// Chooses the element; in the initial value of a global it must be constant.
    pub(super) fn indexed(&mut self, place: Place, global: bool) -> Place {
        let mut index = || match global {
            true => Box::new(Expression::Constant(self.random.between(0, 1))),
            false => self.index(),
        };
        match place {
            Place::Element(array, _) => Place::Element(array, index()),
            Place::ElementField(array, _, field) => Place::ElementField(array, index(), field),
            Place::StructElement(array, _) => Place::StructElement(array, index()),
            other => other,
        }
    }
}
