/**
 * Says which servers a test run uses, where `TEST_EVENTSTORE_URL` and `TEST_MONGODB_URL` name some. Their clients are
 * loaded only then, because that takes longer than a small file of tests.
 */

const said = 'TEST_SERVERS_SAID'

/** Before the first test. */
export default async function setup(): Promise<void> {
  // Once, not for each of the runner's projects.
  if (process.env[said] !== undefined) return
  process.env[said] = 'yes'
  for (const line of await namedServers()) console.log(line)
}

export async function namedServers(): Promise<readonly string[]> {
  const { TEST_EVENTSTORE_URL: events, TEST_MONGODB_URL: documents } = process.env
  return [
    ...(events === undefined ? [] : [`TEST_EVENTSTORE_URL: EventStoreDB ${await eventStoreVersion(events)}`]),
    ...(documents === undefined ? [] : [`TEST_MONGODB_URL: MongoDB ${await mongoVersion()}`]),
  ]
}

/** The client (6.2.1) asks for it, and declares it as protected. */
async function eventStoreVersion(url: string): Promise<string> {
  const { EventStoreDBClient } = await import('@eventstore/db-client')
  const client = EventStoreDBClient.connectionString(url)
  try {
    const asked = client as unknown as { readonly capabilities: Promise<{ readonly serverVersion: string }> }
    return (await asked.capabilities).serverVersion
  } finally {
    await client.dispose()
  }
}

async function mongoVersion(): Promise<string> {
  const { connectMongo } = await import('../../projections/read-store/mongodb-connection.ts')
  const { newDatabase } = await import('../../projections/read-store/test/mongodb.ts')
  const connection = connectMongo(newDatabase())
  try {
    return await connection.run(async (db) => {
      const { version, ferretdb } = await db.admin().command({ buildInfo: 1 })
      const substitute: unknown = ferretdb?.version ?? ferretdb
      return `${String(version)}${substitute ? ` (FerretDB ${String(substitute)})` : ''}`
    })
  } finally {
    await connection.close()
  }
}
