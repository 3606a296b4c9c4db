/** Values that a schema of the API's description allows, made from the schema alone. */
import * as fc from 'fast-check'
import { withChoice, type Schema } from './document.ts'

const maxMembers = 6
const maxText = 2_000

export function allowedBy(schema: Schema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices && schema.type === 'object')
    return fc.oneof(...choices.map((choice) => objectBy(withChoice(schema, choice))))
  if (choices) return fc.oneof(...choices.map(allowedBy))
  switch (schema.type) {
    case 'object':
      return objectBy(schema)
    case 'array': {
      const { items = {}, minItems = 0, maxItems = maxMembers } = schema
      return fc.array(allowedBy(items), {
        minLength: minItems,
        maxLength: Math.max(minItems, Math.min(maxItems, maxMembers)),
      })
    }
    case 'integer':
    case 'number':
      return fc.integer({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 1_000 })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'string':
      return textBy(schema)
    default:
      return fc.anything()
  }
}

/**
 * Of any code points but NUL, or names that objects have anyway. `fc.string` would first list all 1,112,064 code
 * points, which takes longer than the tests that use these.
 */
const strangeNames = fc.oneof(
  fc
    .array(
      fc.integer({ min: 1, max: 0x10ff_ff }).filter((point) => point < 0xd800 || point > 0xdfff),
      { maxLength: 10 },
    )
    .map((points) => String.fromCodePoint(...points)),
  fc.constantFrom('__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'valueOf', '__defineGetter__'),
)

function objectBy({
  properties = {},
  required = [],
  additionalProperties,
  propertyNames,
}: Schema): fc.Arbitrary<object> {
  const known = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, allowedBy(each)])),
    { requiredKeys: [...required] },
  )
  if (propertyNames && typeof additionalProperties === 'object')
    return fc.dictionary(allowedBy(propertyNames) as fc.Arbitrary<string>, allowedBy(additionalProperties), {
      maxKeys: maxMembers,
    })
  if (additionalProperties === false) return known
  // The server ignores unknown fields.
  const unknown = fc.dictionary(strangeNames, fc.jsonValue(), { maxKeys: 2, noNullPrototype: true })
  return fc.tuple(unknown, known).map(([more, own]) => ({
    ...Object.fromEntries(Object.entries(more).filter(([name]) => !(name in properties))),
    ...own,
  }))
}

function textBy({
  pattern,
  format,
  minLength = 0,
  maxLength = maxText,
  not,
  examples = [],
}: Schema): fc.Arbitrary<string> {
  const isAllowed = (text: string) => {
    // JSON Schema counts characters; the server counts UTF-16 code units, as the description says in words.
    const length = [...text].length
    return (
      length >= minLength &&
      length <= maxLength &&
      text.length <= maxLength &&
      (pattern === undefined || new RegExp(pattern, 'u').test(text)) &&
      (not?.pattern === undefined || !new RegExp(not.pattern, 'u').test(text))
    )
  }
  const made =
    format === 'email'
      ? fc.emailAddress()
      : format === 'date-time'
        ? fc
            .date({ min: new Date('0001-01-01'), max: new Date('9999-12-30'), noInvalidDate: true })
            .map((date) => date.toISOString())
        : pattern === undefined
          ? fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, maxText) })
          : fc.stringMatching(new RegExp(pattern, 'u'), { maxLength: Math.min(maxLength, maxText) })
  const special = [...examples, ...padded(minLength, maxLength)].filter(isAllowed)
  return special.length === 0
    ? made.filter(isAllowed)
    : fc.oneof({ weight: 6, arbitrary: made.filter(isAllowed) }, { weight: 1, arbitrary: fc.constantFrom(...special) })
}

/** At both bounds. */
const padded = (minLength: number, maxLength: number) => ['x'.repeat(Math.max(1, minLength)), 'x'.repeat(maxLength)]
