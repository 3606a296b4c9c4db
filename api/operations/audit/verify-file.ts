/** Verifies an export against its signature, from the file and the public keys alone, and locates each flaw. */
import { createHash } from 'node:crypto'
import type { JSONWebKeySet } from 'jose'
import type { z } from 'zod'
import type { Head } from '../../../domain/audit/ledger.ts'
import { MerkleTree } from '../../../domain/audit/merkle.ts'
import type { EventMetadata } from '../../../domain/core/event.ts'
import { flawOf } from '../../../domain/event-store/chain.ts'
import { csvLine } from '../../features/audit/csv.ts'
import {
  csvManifest,
  eventLine,
  exportLeaf,
  headerLine,
  manifestLine,
  manifestSchema,
  streamLine,
  type Manifest,
} from '../../features/audit/export-format.ts'
import { SignatureProblem, verifySigned } from '../../features/audit/signing.ts'

export interface FileVerdict {
  /** Sentences, each about one place; empty when the file matches its signature. */
  readonly problems: readonly string[]
  readonly events: number
  /** The signed manifest; null if it is missing or not ours. */
  readonly manifest: Manifest | null
}

const maxProblems = 100

/** Reads the file once, line by line. @param bytes of the file, in chunks of any size */
export async function verifyFile(bytes: AsyncIterable<Uint8Array>, jwks: JSONWebKeySet): Promise<FileVerdict> {
  const reading = new Reading()
  const digest = createHash('sha256')
  let signed: string | null = null
  for await (const line of linesOf(bytes)) {
    if (signed !== null) {
      reading.say(`Line ${reading.lines + 2} follows the manifest: it was added.`)
      break
    }
    const text = line.toString()
    const manifest = manifestOf(text)
    if (manifest) {
      signed = manifest.signed
      reading.takeManifest(manifest.n)
      if (!line.equals(manifest.bytes)) reading.say(`Line ${reading.lines + 1}, the manifest, was changed.`)
    } else {
      digest.update(line)
      reading.take(text)
    }
  }
  reading.end()
  if (signed === null) {
    reading.say(`The file ends after line ${reading.lines}, before its manifest: its end is missing.`)
    return { problems: reading.problems, events: reading.events, manifest: null }
  }
  const manifest = await trusted(signed, jwks, reading)
  if (manifest) compare(manifest, digest.digest('hex'), reading)
  return { problems: reading.problems, events: reading.events, manifest }
}

/** Lines with their line breaks, as bytes: decoding would replace invalid text and hide a change. */
async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const part of bytes) {
    const whole = rest.length === 0 ? Buffer.from(part) : Buffer.concat([rest, part])
    let from = 0
    for (let end = whole.indexOf(10, from); end >= 0; end = whole.indexOf(10, from)) {
      yield whole.subarray(from, end + 1)
      from = end + 1
    }
    rest = whole.subarray(from)
  }
  if (rest.length > 0) yield rest
}

interface ManifestLine {
  readonly signed: string
  /** Null in a CSV file, whose lines have no numbers. */
  readonly n: number | null
  /** The line's raw bytes: no digest covers this line, so it may contain only its number and the signature. */
  readonly bytes: Buffer
}

function manifestOf(line: string): ManifestLine | null {
  if (line.startsWith(`${csvManifest},`)) {
    const signed = line.slice(csvManifest.length + 1).trim()
    return { signed, n: null, bytes: Buffer.from(csvLine([csvManifest, signed])) }
  }
  if (!line.includes('"kind":"manifest"')) return null
  const parsed = manifestLine.safeParse(jsonOf(line))
  if (!parsed.success) return null
  const { n, kind, manifest: signed } = parsed.data
  return { signed, n, bytes: Buffer.from(`${JSON.stringify({ n, kind, manifest: signed })}\n`) }
}

async function trusted(signed: string, jwks: JSONWebKeySet, reading: Reading): Promise<Manifest | null> {
  try {
    const manifest = manifestSchema.parse(await verifySigned(jwks, 'export', signed))
    if (manifest.checkpoint !== null) await verifySigned(jwks, 'checkpoint', manifest.checkpoint)
    return manifest
  } catch (error) {
    if (!(error instanceof SignatureProblem)) throw error
    reading.say(`The manifest is not trustworthy. ${error.message}`)
    return null
  }
}

function compare(manifest: Manifest, digest: string, reading: Reading): void {
  if (!reading.isCsv && manifest.events !== reading.events)
    reading.say(`The file has ${reading.events} events, but ${manifest.events} were signed.`)
  if (!reading.isCsv && manifest.streams !== reading.streams)
    reading.say(`The file has ${reading.streams} streams, but ${manifest.streams} were signed.`)
  if (!reading.isCsv && manifest.root !== reading.root())
    reading.say('The streams of the file differ from the signed ones.')
  if (manifest.digest !== digest) reading.say('The bytes of the file differ from the signed ones.')
}

const jsonOf = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

interface Open {
  readonly about: z.infer<typeof streamLine>
  head: Head | null
}

/** Checks the lines in order and records the flaws of each. */
class Reading {
  readonly problems: string[] = []
  readonly #tree = new MerkleTree()
  lines = 0
  events = 0
  isCsv = false
  #n = 0
  #last = ''
  #open: Open | null = null

  get streams(): number {
    return this.#tree.size
  }
  root(): string {
    return this.#tree.root()
  }

  say(sentence: string): void {
    if (this.problems.length < maxProblems) this.problems.push(sentence)
  }

  take(line: string): void {
    this.lines += 1
    if (this.lines === 1 && !line.startsWith('{')) this.isCsv = true
    // In a CSV file only the digest can detect this.
    if (this.isCsv) return
    const json = jsonOf(line)
    if (this.lines === 1) {
      const header = headerLine.safeParse(json)
      if (!header.success) this.say('Line 1 is not the beginning of an export: it was changed.')
      this.#n = 1
      return
    }
    const stream = streamLine.safeParse(json)
    if (stream.success) return this.#begin(stream.data)
    const event = eventLine.safeParse(json)
    if (event.success) return this.#event(event.data)
    this.#n += 1
    this.say(`Line ${this.lines} can't be read: it was changed.`)
  }

  /** @param n its number; null in a CSV file */
  takeManifest(n: number | null): void {
    if (n !== null) this.#counted(n)
  }

  #counted(n: number): void {
    if (n > this.#n + 1)
      this.say(n === this.#n + 2 ? `Line ${n - 1} is missing.` : `Lines ${this.#n + 1} to ${n - 1} are missing.`)
    else if (n <= this.#n) this.say(`Line ${this.lines} (numbered ${n}) is in the wrong place.`)
    this.#n = n
  }

  #begin(about: z.infer<typeof streamLine>): void {
    this.end()
    this.#counted(about.n)
    if (about.stream <= this.#last) this.say(`Line ${this.lines}: ${about.stream} was moved or is there twice.`)
    this.#last = about.stream
    this.#tree.add(exportLeaf(about))
    this.#open = { about, head: null }
  }

  #event({ n, kind: _, ...event }: z.infer<typeof eventLine>): void {
    this.#counted(n)
    this.events += 1
    const named = `${event.name}, event ${event.revision} of ${event.stream}`
    const open = this.#open
    if (open?.about.stream !== event.stream) return this.say(`Line ${this.lines}: ${named}, is in the wrong place.`)
    // The event before the first one isn't in the file: the chain starts with the hash that it names.
    const before =
      open.head ??
      (open.about.first > 0 ? { revision: open.about.first - 1, hash: event.metadata.prevHash ?? '' } : null)
    const flaw = flawOf({ ...event, metadata: event.metadata as unknown as EventMetadata }, before)
    if (flaw === 'changed') this.say(`Line ${this.lines}: ${named}, was changed.`)
    if (flaw === 'missing')
      this.say(
        `Before line ${this.lines}: events ${before ? before.revision + 1 : 0} to ${event.revision - 1} of ${event.stream} are missing.`,
      )
    if (flaw === 'inserted') this.say(`Line ${this.lines}: ${named}, was inserted, or an earlier event was changed.`)
    open.head = { revision: event.revision, hash: event.metadata.hash }
  }

  /** At a stream's end: checks that it is the one announced by its first line. */
  end(): void {
    if (!this.#open) return
    const { about, head } = this.#open
    const last = head?.revision ?? about.first - 1
    if (last < about.last) this.say(`Events ${last + 1} to ${about.last} of ${about.stream} are missing.`)
    else if (head?.hash !== about.hash)
      this.say(`The end of ${about.stream}, event ${about.last}, differs from the exported one.`)
    this.#open = null
  }
}
