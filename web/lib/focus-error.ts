/** Leads a person to the first field that is wrong: it is scrolled into sight and has the focus. */

/** Fields of the browser and of the library say so in their own ways; a closed select by its message. */
const wrongField = '[aria-invalid=true], [data-invalid] button, button[aria-describedby$="-error"]'

/** @returns whether there is one */
export function focusFirstError(form: ParentNode | null): boolean {
  const field = form?.querySelector<HTMLElement>(wrongField)
  if (!field) return false
  field.focus({ preventScroll: true })
  field.scrollIntoView({ block: 'center' })
  return true
}
