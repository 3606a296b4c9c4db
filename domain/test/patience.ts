/**
 * How long tests wait for a condition. It is no part of what they show: a condition that holds ends the wait, and a
 * slow server must not look like a fault. The timeout of a whole test is in vitest.config.ts, and longer.
 */

/** A server that is named, or that takes one command at a time for all tests together. */
export const isOnServers = process.env['TEST_MONGODB_URL'] !== undefined

export const patience = { timeout: isOnServers ? 60_000 : 20_000 } as const
