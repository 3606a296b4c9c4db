/** Who may do what on the test server: users, passwords, and the access control lists of streams. */
import { Metadata, status } from '@grpc/grpc-js'
import type { Log } from './log.ts'

export interface Login {
  readonly username: string
  readonly password: string
  /** Of the group `$admins`, the default, whose members have every right. */
  readonly isAdmin?: boolean
}

export interface Call {
  readonly metadata: Metadata
  readonly request?: { getOptions?(): { hasAll?(): boolean } | undefined }
  emit(name: 'error', error: object): unknown
}
/** The error for a call that is refused; null for one that is served. */
export type Check = (call: Call) => object | null

export interface Access {
  readonly check: Check
  /** One call may append to several streams, so that each append is asked for. */
  readonly mayWrite: (call: { readonly metadata: Metadata }, stream: string) => boolean
}

export function denied(code: status): object {
  const metadata = new Metadata()
  if (code === status.PERMISSION_DENIED) metadata.set('exception', 'access-denied')
  return { code, details: 'Access denied', metadata }
}

/** @param logins without any, everyone has access */
export function accessOf(log: Log, logins: readonly Login[] | undefined): Access {
  if (logins === undefined) return { check: () => null, mayWrite: () => true }
  const loginOf = (given: unknown) =>
    logins.find(
      ({ username, password }) => given === `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
    )
  const has = ({ isAdmin = true, username }: Login, right: Right, stream: string) =>
    isAdmin || rolesOf(log, right, stream).some((role) => role === '$all' || role === username)
  return {
    // As on the real server: a wrong password is unauthenticated; a missing one or a missing right, permission denied.
    check({ metadata, request }) {
      const [given] = metadata.get('authorization')
      if (given === undefined) return denied(status.PERMISSION_DENIED)
      const login = loginOf(given)
      if (!login) return denied(status.UNAUTHENTICATED)
      const readsAll = request?.getOptions?.()?.hasAll?.() === true
      return readsAll && !has(login, '$r', '$all') ? denied(status.PERMISSION_DENIED) : null
    },
    mayWrite({ metadata }, stream) {
      const login = loginOf(metadata.get('authorization')[0])
      if (!login || stream === '$all') return false
      return isMetadata(stream) ? has(login, '$mw', stream.slice(2)) : has(login, '$w', stream)
    },
  }
}

type Right = '$r' | '$w' | '$mw'

/** The metadata of a stream is in a stream with its name after `$$`. */
const isMetadata = (stream: string) => stream.startsWith('$$')

/**
 * The list in the stream's metadata, otherwise the default: everyone on the streams of users, `$admins` on the server's
 * own, whose names begin with `$`. EventStoreDB 23.10: `SystemSettings.cs` has the defaults, and
 * `LegacyStreamPermissionAssertion.cs` their order; by the latter no one writes `$all`, and metadata is written by whom
 * the list of its stream names.
 */
function rolesOf(log: Log, right: Right, stream: string): readonly string[] {
  const last = log.stream(`$$${stream}`)?.at(-1)
  const { $acl = {} } = last ? (JSON.parse(Buffer.from(last.data).toString()) as Acl) : {}
  return [$acl[right] ?? (stream.startsWith('$') ? '$admins' : '$all')].flat()
}

interface Acl {
  readonly $acl?: Readonly<Partial<Record<Right, string | readonly string[]>>>
}
