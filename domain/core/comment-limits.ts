/** The limits of a discussion. Without schemas: the screens name some of them. */

/** Removed comments count too: a discussion's stream has an end. */
export const maxComments = 500
/** Of them by people without an account, so that a link that goes round leaves room for the agency. */
export const maxReviewerComments = 250
export const maxEdits = 20
export const maxMentions = 10
/** Code points. */
export const maxCommentLength = 5_000
/** An edit within this time is not marked. */
export const silentEditMs = 15 * 60_000
