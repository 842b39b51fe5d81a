/**
 * The moments between two steps of a delivery, in the order they occur. What is written before a moment survives a
 * crash at it, what comes after has not happened. The crash tests end the process at each of them.
 */
export const STEPS = [
  /** The lane is ours; nothing of it was read. */
  'claimed',
  /** The oldest delivery was read. */
  'read',
  /** Decided, worded and cut; nothing of it is written. */
  'planned',
  /** The parts are stored. */
  'frozen',
  /** `sending` is committed; the call is not made. */
  'sending_recorded',
  /** The call is on its way. */
  'calling',
  /** The platform answered; nothing of it is written. */
  'answered',
  /** What became of the part is committed, and more is to do. */
  'part_recorded',
  /** A look-up answered; nothing of it is written. */
  'looked_up',
  /** Acknowledgements are cleared; the end is not written. */
  'tidied',
  /** The end is committed. */
  'settled',
  /** The lane is given back. */
  'released',
] as const

export type StepName = (typeof STEPS)[number]
