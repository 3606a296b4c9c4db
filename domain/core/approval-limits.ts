/** The limits of approval policies. Without schemas, because screens load it. */

export const maxApprovalSteps = 5
export const maxStepMembers = 50
/** A week. */
export const maxBoundMinutes = 10_080
export const maxSkipReason = 500
/** Of one post's step; a policy's step names more. */
export const maxReassigned = 10
export const maxReminders = 3
/** Thirty days. */
export const maxReminderHours = 720

/** The roles that approve posts. */
export const approverRoles = ['owner', 'admin', 'manager'] as const
export type ApproverRole = (typeof approverRoles)[number]
