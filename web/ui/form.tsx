/** Forms: validated on submit, then again on each change; an error of the server stays under the form. */
import { createFormHook, createFormHookContexts, revalidateLogic } from '@tanstack/react-form'
import { useLayoutEffect, useReducer, useRef, useState, type FormEvent } from 'react'
import { errorText, textUnder } from '../lib/error-text.ts'
import { onActError } from '../lib/query-client.ts'
import { ColorField } from './ColorField.tsx'
import { NewPasswordField, type NewPasswordProps } from './NewPasswordField.tsx'
import { useOneAtATime } from './one-at-a-time.ts'
import { words } from './form-words.ts'
import { TextField, type TextFieldProps } from './TextField.tsx'

const { fieldContext, formContext, useFieldContext } = createFormHookContexts()

type Bound<P> = Omit<P, 'value' | 'onChange' | 'onBlur' | 'error' | 'name'> & {
  /** The server's error for the field. */
  readonly refused?: string | undefined
}

/**
 * A field is subscribed to its form only in a passive effect, which React (19) runs after the paint, and later where
 * the browser is busy. What is typed before that would be replaced by the value of the first render. An update in a
 * layout effect makes React run the passive effects at once, before any event.
 */
function useSubscribedAtOnce(): void {
  const [, render] = useReducer(() => true, false)
  useLayoutEffect(() => render(), [])
}

function useText(refused: string | undefined) {
  useSubscribedAtOnce()
  const { name, state, handleChange, handleBlur } = useFieldContext<string>()
  return {
    name,
    value: state.value,
    onChange: handleChange,
    onBlur: handleBlur,
    error: firstError(state.meta.errors) ?? refused,
  }
}

function FormText({ refused, ...props }: Bound<TextFieldProps>) {
  return <TextField {...props} {...useText(refused)} />
}

function FormNewPassword({ refused, ...props }: Bound<NewPasswordProps>) {
  return <NewPasswordField {...props} {...useText(refused)} />
}

function FormColor({ label }: { readonly label: string }) {
  useSubscribedAtOnce()
  const field = useFieldContext<string>()
  return (
    <ColorField
      label={label}
      name={field.name}
      value={field.state.value}
      onChange={field.handleChange}
      error={firstError(field.state.meta.errors)}
    />
  )
}

/** The message to show beside a field. */
export const firstError = (errors: readonly unknown[]) => errors.find((error) => typeof error === 'string')

const { useAppForm } = createFormHook({
  fieldContext,
  formContext,
  fieldComponents: { Text: FormText, NewPassword: FormNewPassword, Color: FormColor },
  formComponents: {},
})

interface Issue {
  readonly code?: string | undefined
  readonly path: readonly PropertyKey[]
  readonly message: string
}

interface Schema<Output> {
  safeParse(value: unknown): { success: true; data: Output } | { success: false; error: { issues: readonly Issue[] } }
}

interface Refusal {
  readonly field: PropertyKey
  readonly message: string
}

interface Options<Values, Output> {
  readonly defaults: Values
  /** Loaded when the form is first touched. */
  readonly schema: () => Promise<Schema<Output>>
  readonly submit: (output: Output) => Promise<void>
  readonly onError?: (message: string) => void
  /** The field that an error of the server is about, where it is about one. */
  readonly fieldOf?: (error: unknown) => keyof Values | null
}

export function useSchemaForm<Values extends Record<string, string>, Output>(options: Options<Values, Output>) {
  const schema = useRef<Schema<Output> | null>(null)
  const [serverError, setServerError] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const forget = () => {
    setServerError(null)
    setRefusal(null)
  }
  const fail = (error: unknown) => {
    const message = errorText(error)
    const field = options.fieldOf?.(error) ?? null
    if (field === null) setServerError(message)
    else {
      setRefusal({ field, message: textUnder(String(field), error) })
      focusFirstError()
    }
    options.onError?.(message)
  }
  const form = useAppForm({
    defaultValues: options.defaults,
    validationLogic: revalidateLogic(),
    // The server's refusal concerned values that have changed since.
    listeners: { onChange: forget },
    validators: { onDynamic: ({ value }) => errorsOf(schema.current, value) },
    onSubmit: async ({ value }) => {
      const parsed = schema.current?.safeParse(value)
      if (!parsed?.success) return
      try {
        await options.submit(parsed.data)
      } catch (error) {
        onActError(error)
        fail(error)
      }
    },
    onSubmitInvalid: focusFirstError,
  })
  const prepare = async () => (schema.current ??= await options.schema())
  // The form library submits again while a submission is under way.
  const oneAtATime = useOneAtATime()
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    oneAtATime(() => {
      forget()
      return prepare().then(() => form.handleSubmit(), fail)
    })
  }
  const refused = (field: keyof Values) => (refusal?.field === field ? refusal.message : undefined)
  return {
    form,
    serverError,
    refused,
    formProps: { onSubmit, onFocus: () => void prepare().catch(() => undefined), noValidate: true },
  }
}

const focusFirstError = () =>
  void requestAnimationFrame(() => document.querySelector<HTMLElement>('form [aria-invalid=true]')?.focus())

function errorsOf<Output>(schema: Schema<Output> | null, value: unknown) {
  const parsed = schema?.safeParse(value)
  if (!parsed || parsed.success) return undefined
  const fields: Record<string, string> = {}
  // The schema's own message lists the values of the API.
  for (const { code, path, message } of parsed.error.issues)
    fields[String(path[0])] ??= code === 'invalid_value' ? words.chooseA(String(path[0])) : message
  return { fields }
}
