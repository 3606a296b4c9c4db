/**
 * The built files, served from memory: a download opens no file descriptor, so an aborted one can't leak any, and
 * replacing a file on disk affects no answer under way.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { Request, RequestHandler, Response } from 'express'
import { rangeOf } from './byte-range.ts'
import { encodingFor, type Compression } from './encoding.ts'

/** Extensions of the compressed variants that the build writes beside a file. */
const twins: Readonly<Record<Compression, string>> = { br: '.br', gzip: '.gz' }

export interface StaticFile {
  readonly identity: Buffer
  readonly encoded: Readonly<Partial<Record<Compression, Buffer>>>
  /** With its quotes; a hash of the content, so that a rebuilt file with the same content stays cached. */
  readonly etag: string
}

/**
 * Every file under a folder by its URL path (`/assets/app.js`), without hidden files and the compressed variants
 * themselves.
 */
export function readStaticFiles(root: string): ReadonlyMap<string, StaticFile> {
  const names = new Set(
    readdirSync(root, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [pathUnder(root, entry)] : [],
    ),
  )
  const isTwin = (name: string) =>
    Object.values(twins).some((extension) => name.endsWith(extension) && names.has(name.slice(0, -extension.length)))
  const isHidden = (name: string) => name.split('/').some((step) => step.startsWith('.'))
  const wanted = [...names].filter((name) => !isTwin(name) && !isHidden(name))
  return new Map(wanted.map((name) => [`/${name}`, readFile(root, name, names)]))
}

const pathUnder = (root: string, { parentPath, name }: { readonly parentPath: string; readonly name: string }) =>
  join(parentPath, name).slice(join(root, sep).length).split(sep).join('/')

function readFile(root: string, name: string, names: ReadonlySet<string>): StaticFile {
  const identity = readFileSync(join(root, name))
  const encoded = Object.fromEntries(
    Object.entries(twins).flatMap(([encoding, extension]) =>
      names.has(name + extension) ? [[encoding, readFileSync(join(root, name + extension))]] : [],
    ),
  )
  return { identity, encoded, etag: `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"` }
}

/** Answers GET and HEAD for known files; passes everything else on. */
export function staticFiles(files: ReadonlyMap<string, StaticFile>): RequestHandler {
  return (request, response, next) => {
    const file = request.method === 'GET' || request.method === 'HEAD' ? files.get(request.path) : undefined
    if (!file) return next()
    send(file, request, response)
  }
}

function send({ identity, encoded, etag }: StaticFile, request: Request, response: Response): void {
  const cacheControl = request.path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
  response.set({ 'Cache-Control': cacheControl, ETag: etag, 'Accept-Ranges': 'bytes', Vary: 'Accept-Encoding' })
  if (request.fresh) return void response.status(304).end()
  response.type(request.path.slice(request.path.lastIndexOf('.') + 1))
  const range = rangeOf(request, identity.length, etag)
  if (range === 'unsatisfiable') {
    response.removeHeader('Content-Type')
    return void response.status(416).set('Content-Range', `bytes */${identity.length}`).end()
  }
  if (range !== 'whole') {
    const { start, end } = range
    return sendBytes(
      response.status(206).set('Content-Range', `bytes ${start}-${end}/${identity.length}`),
      identity.subarray(start, end + 1),
    )
  }
  const accepted = encodingFor(request)
  const body = accepted === 'identity' ? undefined : encoded[accepted]
  if (body) response.set('Content-Encoding', accepted)
  sendBytes(response, body ?? identity)
}

/** All readers share the bytes: a stalled reader holds its socket and no copy. */
function sendBytes(response: Response, bytes: Buffer): void {
  response.set('Content-Length', String(bytes.length))
  response.end(response.req.method === 'HEAD' ? undefined : bytes)
}
