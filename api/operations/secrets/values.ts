/** The secrets of the distributed shape: their names as files, and how each is made. */
import { randomBytes } from 'node:crypto'

/** In this order: the address of MongoDB has the password in it. */
export const secretNames = [
  'session-secret',
  'encryption-key',
  'audit-signing-key',
  'metrics-token',
  'mongo-key',
  'mongo-password',
  'eventstore-url',
  'mongodb-url',
] as const
export type SecretName = (typeof secretNames)[number]

const hex = (bytes: number) => () => randomBytes(bytes).toString('hex')

/** @param known the secrets that exist already */
type Make = (known: Readonly<Partial<Record<SecretName, string>>>) => string

export const makeSecret: Readonly<Record<SecretName, Make>> = {
  'session-secret': hex(32),
  'encryption-key': hex(32),
  'audit-signing-key': hex(32),
  'metrics-token': hex(32),
  // At most 1,024 characters of base64: https://www.mongodb.com/docs/manual/core/security-internal-authentication/
  'mongo-key': () => randomBytes(756).toString('base64'),
  'mongo-password': hex(24),
  'eventstore-url': () => 'esdb://eventstore:2113?tls=false',
  'mongodb-url': ({ 'mongo-password': password = '' }) =>
    `mongodb://socialai:${password}@mongo:27017/socialai?authSource=admin&replicaSet=rs0`,
}

export interface Reader {
  /** The user and group that the reader's container runs as. */
  readonly uid: number
  readonly secrets: readonly SecretName[]
}

/** Who reads which secret in docker-compose.yml: one folder for each, on a volume of its own. */
export const secretReaders: Readonly<Record<string, Reader>> = {
  processes: {
    uid: 1000,
    secrets: [
      'session-secret',
      'encryption-key',
      'audit-signing-key',
      'metrics-token',
      'eventstore-url',
      'mongodb-url',
    ],
  },
  mongo: { uid: 999, secrets: ['mongo-key', 'mongo-password'] },
  prometheus: { uid: 65_534, secrets: ['metrics-token'] },
}
