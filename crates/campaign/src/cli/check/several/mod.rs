pub(super) mod groups;
