/** Forms: validated on submit, then again on each change; an error of the server stays under the form. */
import { createFormHook, createFormHookContexts, revalidateLogic } from '@tanstack/react-form'
import { useRef, useState, type FormEvent } from 'react'
import { errorText } from '../lib/error-text.ts'
import { onActError } from '../lib/query-client.ts'
import { ColorField } from './ColorField.tsx'
import { TextField, type TextFieldProps } from './TextField.tsx'

const { fieldContext, formContext, useFieldContext } = createFormHookContexts()

type Bound<P> = Omit<P, 'value' | 'onChange' | 'onBlur' | 'error' | 'name'>

function FormText(props: Bound<TextFieldProps>) {
  const field = useFieldContext<string>()
  return (
    <TextField
      {...props}
      name={field.name}
      value={field.state.value}
      onChange={field.handleChange}
      onBlur={field.handleBlur}
      error={firstError(field.state.meta.errors)}
    />
  )
}

function FormColor({ label }: { readonly label: string }) {
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
  fieldComponents: { Text: FormText, Color: FormColor },
  formComponents: {},
})

interface Schema<Output> {
  safeParse(
    value: unknown,
  ):
    | { success: true; data: Output }
    | { success: false; error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] } }
}

interface Options<Values, Output> {
  readonly defaults: Values
  /** Loaded when the form is first touched. */
  readonly schema: () => Promise<Schema<Output>>
  readonly submit: (output: Output) => Promise<void>
  readonly onError?: (message: string) => void
}

export function useSchemaForm<Values extends Record<string, string>, Output>(options: Options<Values, Output>) {
  const schema = useRef<Schema<Output> | null>(null)
  const [serverError, setServerError] = useState<string | null>(null)
  const fail = (error: unknown) => {
    setServerError(errorText(error))
    options.onError?.(errorText(error))
  }
  const form = useAppForm({
    defaultValues: options.defaults,
    validationLogic: revalidateLogic(),
    // What the server refused was said of what is no longer there.
    listeners: { onChange: () => setServerError(null) },
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
    onSubmitInvalid: () =>
      requestAnimationFrame(() => document.querySelector<HTMLElement>('form [aria-invalid=true]')?.focus()),
  })
  const prepare = async () => (schema.current ??= await options.schema())
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    setServerError(null)
    prepare().then(() => form.handleSubmit(), fail)
  }
  return { form, serverError, formProps: { onSubmit, onFocus: () => void prepare().catch(() => undefined), noValidate: true } }
}

function errorsOf<Output>(schema: Schema<Output> | null, value: unknown) {
  const parsed = schema?.safeParse(value)
  if (!parsed || parsed.success) return undefined
  const fields: Record<string, string> = {}
  for (const { path, message } of parsed.error.issues) fields[String(path[0])] ??= message
  return { fields }
}
