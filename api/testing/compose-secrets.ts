/** Faults in how secrets reach the containers: each reader has copies of its own, and only those that it reads. */
import { secretNames, secretReaders } from '../operations/secrets/values.ts'

export interface Holder {
  readonly user: string
  readonly environment: Readonly<Record<string, string>>
  readonly command?: readonly string[] | undefined
  readonly entrypoint?: readonly string[] | undefined
  readonly secrets: readonly string[]
  readonly volumes: readonly string[]
  readonly cap_add?: readonly string[] | undefined
  readonly depends_on: Readonly<Record<string, { readonly condition: string }>>
}
type Holders = Readonly<Record<string, Holder>>

const maker = 'secrets'
const originals = '/secrets/originals'
const copies = '/secrets/copies'

/** The reader whose volume the service mounts at /run/secrets. */
const readerOf = ({ volumes }: Holder) =>
  volumes.map((volume) => /^secrets-([\w-]+):\/run\/secrets:ro$/.exec(volume)?.[1]).find((name) => name !== undefined)

/** The names of the files in /run/secrets. */
export function secretsOf(service: Holder): readonly string[] {
  const reader = readerOf(service)
  return [...service.secrets, ...(reader === undefined ? [] : (secretReaders[reader]?.secrets ?? []))]
}

/** Whether the service starts only after the secrets are there, directly or by what it depends on. */
function waits(services: Holders, name: string, seen: readonly string[] = []): boolean {
  if (seen.includes(name)) return false
  const needed = services[name]?.depends_on ?? {}
  return (
    needed[maker]?.condition === 'service_completed_successfully' ||
    Object.keys(needed).some((other) => waits(services, other, [...seen, name]))
  )
}

/** @param files the files of the top-level element `secrets` */
export function ofSecrets(services: Holders, files: Readonly<Record<string, { readonly file: string }>>): string[] {
  const made = services[maker]
  if (!made) return ['there is no service that makes the secrets']
  const isGiven = made.command?.includes('--given') === true
  const command = [maker, isGiven ? '/run/secrets' : originals, '--copies', copies, ...(isGiven ? ['--given'] : [])]
  const rights = ['CHOWN', ...(isGiven ? ['DAC_READ_SEARCH'] : [])]
  const says = (holds: boolean, sentence: string) => (holds ? [] : [sentence])
  return [
    ...says(made.command?.slice(2).join(' ') === command.join(' '), 'secrets: its command is another one'),
    ...says(made.user === '0:0' && made.cap_add?.join() === rights.join(), 'secrets: its rights are other ones'),
    ...says(made.volumes.includes(`secrets:${originals}`), 'secrets: the originals are lost when it ends'),
    ...Object.keys(secretReaders)
      .filter((reader) => !made.volumes.includes(`secrets-${reader}:${copies}/${reader}`))
      .map((reader) => `secrets: ${reader} gets no copies`),
    ...(isGiven
      ? secretNames
          .filter((name) => files[name]?.file !== `./secrets/${name}` || !made.secrets.includes(name))
          .map((name) => `secrets: npm run secrets makes ${name}, which is not handed to it`)
      : says(Object.keys(files).length === 0, 'a file has to be written before the first start')),
    ...Object.entries(services).flatMap(([name, service]) => (name === maker ? [] : ofReader(services, name, service))),
  ]
}

function ofReader(services: Holders, name: string, service: Holder): string[] {
  const texts = [...Object.values(service.environment), ...(service.entrypoint ?? [])]
  const wanted = texts.flatMap((text) => [...text.matchAll(/\/run\/secrets\/([\w-]+)/g)].map(([, one = '']) => one))
  const held = secretsOf(service)
  const reader = readerOf(service)
  const uid = reader === undefined ? null : (secretReaders[reader]?.uid ?? null)
  return [
    ...wanted.filter((one) => !held.includes(one)).map((one) => `${name}: ${one} is not handed to it`),
    ...(wanted.length === 0 || waits(services, name) ? [] : [`${name}: it starts before the secrets are there`]),
    ...(uid === null || service.user === `${uid}:${uid}` ? [] : [`${name}: it can't read the copies of ${reader}`]),
    ...service.volumes
      .filter((volume) => volume.startsWith('secrets') && !/^secrets-[\w-]+:\/run\/secrets:ro$/.test(volume))
      .map((volume) => `${name}: it holds ${volume}`),
  ]
}
