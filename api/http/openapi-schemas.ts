/** The contract's schemas as JSON Schema, with an example value of each. */
import { z } from 'zod'
import { storable, timeZoneName } from '../../domain/core/documented.ts'

/** The subset that the API description uses (JSON Schema 2020-12). */
export type JsonSchema = z.core.JSONSchema.BaseSchema

export function outputSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })
  return rest
}

/** The input schema, with the rules that hold for every text: see `unstorableIn`. */
export function inputSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.type !== 'string') return
      if (jsonSchema.format === timeZoneName.format) jsonSchema.enum = timeZones()
      if (jsonSchema.pattern === undefined && jsonSchema.enum === undefined && jsonSchema.const === undefined)
        Object.assign(jsonSchema, storable)
    },
  })
  return rest
}

const timeZones = (): string[] => [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]

/** A valid value, composed of the parts' `examples`; undefined where a text has none. */
export function exampleOf(schema: JsonSchema): unknown {
  const [example] = schema.examples ?? []
  if (example !== undefined) return example
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const choices = schema.properties === undefined ? (schema.anyOf ?? schema.oneOf) : undefined
  if (choices !== undefined) return exampleOf(schemaOf(choices[0]))
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
          const value = exampleOf(schemaOf(property))
          return value === undefined ? [] : [[name, value]]
        }),
      )
    case 'array':
      return [exampleOf(schemaOf(Array.isArray(schema.items) ? schema.items[0] : schema.items))]
    case 'integer':
    case 'number':
      return schema.default ?? schema.minimum ?? 1
    case 'boolean':
      return schema.default ?? true
    default:
      return schema.default
  }
}

/** Named examples: one for each alternative of a union. */
export function examplesOf(schema: JsonSchema): Readonly<Record<string, { readonly value: unknown }>> {
  const alternatives = schema.properties === undefined ? (schema.anyOf ?? schema.oneOf ?? [schema]) : [schema]
  return Object.fromEntries(
    alternatives.map((each, index) => [String(index + 1), { value: exampleOf(schemaOf(each)) }]),
  )
}

const schemaOf = (schema: JsonSchema | boolean | undefined): JsonSchema => (typeof schema === 'object' ? schema : {})
