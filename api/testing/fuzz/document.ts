import { notBlank, storable, twoOrMore } from '../../../domain/core/documented.ts'

/** What the server says of itself at `/api/openapi.json`: all that the requests are made from. */
export interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly propertyNames?: Schema
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly format?: string
  readonly not?: Schema
  readonly examples?: readonly string[]
}

const anyText: readonly (string | undefined)[] = [undefined, storable.pattern, notBlank.pattern, twoOrMore.pattern]

/** Whether a schema takes texts of any form. */
export const isFreeText = (schema: Schema): boolean =>
  schema.type === 'string' && !('const' in schema) && !schema.enum && !schema.format && anyText.includes(schema.pattern)

/** A choice of what an object has, with all that it has in any case. */
export const withChoice = (schema: Schema, choice: Schema): Schema => ({
  ...schema,
  properties: {
    ...schema.properties,
    ...Object.fromEntries(
      Object.entries(choice.properties ?? {}).map(([name, each]) => [name, { ...schema.properties?.[name], ...each }]),
    ),
  },
  required: [...(schema.required ?? []), ...(choice.required ?? [])],
})

type Examples = Readonly<Record<string, { readonly value: unknown }>>
type Content = Readonly<
  Record<string, { readonly schema?: Schema; readonly example?: unknown; readonly examples?: Examples }>
>

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Schema
  readonly example?: unknown
}

export interface Operation {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly security: readonly object[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content; readonly description: string }>>
}

interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Omit<Operation, 'method' | 'path'>>>>>
}

export async function readOperations(url: string): Promise<readonly Operation[]> {
  const document = (await (await fetch(`${url}/api/openapi.json`)).json()) as Document
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  )
}
