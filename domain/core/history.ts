/** Maps stored names to event types, and old shapes to new ones. */
import type { z } from 'zod'
import type { Fact, JsonObject } from './event.ts'

export type EventSchemas = Readonly<Record<string, z.ZodObject>>

/** The union of events that a table of schemas describes. */
export type FactOf<S extends EventSchemas> = {
  [Type in keyof S & string]: { readonly type: Type; readonly data: z.infer<S[Type]> }
}[keyof S & string]

/** A shape that is no longer written: its upcaster leads to the shape `next`. */
export interface OldShape {
  readonly schema: z.ZodObject
  /** The stored name that `upcast` produces. */
  readonly next: string
  readonly upcast: (data: JsonObject) => JsonObject
}

export interface History {
  /** Event type -> the stored name written today. Literals, never derived from code. */
  readonly names: Readonly<Record<string, string>>
  readonly schemas: EventSchemas
  readonly old: Readonly<Record<string, OldShape>>
}

/** Binds an aggregate's schemas to their stored names. */
export const history = <S extends EventSchemas>(
  schemas: S,
  names: { readonly [Type in keyof S & string]: string },
  old: Readonly<Record<string, OldShape>> = {},
): History => ({ schemas, names, old })

/** An event unknown to the code: throwing is safer than skipping it. */
export class UnknownEvent extends Error {
  override readonly name = 'UnknownEvent'
}

export interface Catalogue {
  /** The stored name and validated data of an event. @throws ZodError when its data breaks the schema */
  encode(fact: Fact): { readonly name: string; readonly data: JsonObject }
  /** The current type and shape of a stored event. @throws UnknownEvent */
  decode(name: string, data: JsonObject): Fact & { readonly data: JsonObject }
  /** The current type of a stored name. @throws UnknownEvent */
  typeOf(name: string): string
  /** The data in the newest shape of its type: the same object if it already has that shape. */
  upcast(name: string, data: JsonObject): JsonObject
  /** All stored names, old ones included, that decode to one of the types. */
  namesOf(types: readonly string[]): readonly string[]
  readonly names: readonly string[]
}

/** Combines the histories of several aggregates. @throws Error when two share a stored name */
export function catalogue(histories: readonly History[]): Catalogue {
  const written = new Map<string, { name: string; schema: z.ZodObject }>()
  const current = new Map<string, string>()
  const old = new Map<string, OldShape>()
  const claim = (name: string) => {
    if (current.has(name) || old.has(name)) throw new Error(`Two histories claim the stored name ${name}`)
  }
  for (const { names, schemas, old: shapes } of histories) {
    for (const [type, name] of Object.entries(names)) {
      const schema = schemas[type]
      if (!schema) throw new Error(`No schema for ${type}`)
      claim(name)
      if (written.has(type)) throw new Error(`Two histories claim the event type ${type}`)
      written.set(type, { name, schema })
      current.set(name, type)
    }
    for (const [name, shape] of Object.entries(shapes)) {
      claim(name)
      old.set(name, shape)
    }
  }

  const typeOf = (name: string): string => {
    const type = current.get(name)
    if (type !== undefined) return type
    const shape = old.get(name)
    if (!shape) throw new UnknownEvent(`No code knows the event ${name}`)
    return typeOf(shape.next)
  }

  const upcast = (name: string, data: JsonObject): JsonObject => {
    let shape = data
    for (let step = old.get(name); step; step = old.get(step.next)) shape = step.upcast(shape)
    return shape
  }

  return {
    names: [...current.keys(), ...old.keys()],
    encode(fact) {
      const entry = written.get(fact.type)
      if (!entry) throw new UnknownEvent(`No code knows the event ${fact.type}`)
      return { name: entry.name, data: entry.schema.parse(fact.data) as JsonObject }
    },
    decode: (name, data) => ({ type: typeOf(name), data: upcast(name, data) }),
    typeOf,
    upcast,
    namesOf(types) {
      const wanted = new Set(types)
      return [...current.keys(), ...old.keys()].filter((name) => wanted.has(typeOf(name)))
    },
  }
}
