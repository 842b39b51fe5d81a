/** Why an operator or a producer ended a delivery by hand. Kept apart from what `decide` may answer. */
export const OPERATOR_REASONS = ['cancelled_by_operator'] as const
export type OperatorReason = (typeof OPERATOR_REASONS)[number]
