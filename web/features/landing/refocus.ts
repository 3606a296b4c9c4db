/** Keeps the field and the caret, so that typing continues in the field that replaces it. */
export interface Focused {
  readonly name: string
  readonly at: number
}

export function focusedIn(box: HTMLElement | null): Focused | null {
  const field = document.activeElement
  if (!(field instanceof HTMLInputElement) || !box?.contains(field)) return null
  return { name: field.name, at: field.selectionEnd ?? field.value.length }
}

export function refocus(box: HTMLElement | null, focused: Focused | null): void {
  const field = focused && box?.querySelector<HTMLInputElement>(`input[name="${focused.name}"]`)
  if (!field) return
  field.focus({ preventScroll: true })
  // A field for email has no caret to set; as a field for text it has, for a moment.
  const { type } = field
  field.type = 'text'
  field.setSelectionRange(focused.at, focused.at)
  field.type = type
}
