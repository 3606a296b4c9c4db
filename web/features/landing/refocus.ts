/** Keeps the focus where one form replaces another: in a field with its caret, or on a button or link. */
export type Focused = { readonly field: string; readonly at: number } | { readonly text: string }

export function focusedIn(box: HTMLElement | null): Focused | null {
  const element = document.activeElement
  if (!box?.contains(element)) return null
  if (element?.matches('a, button')) return { text: element.textContent }
  if (!(element instanceof HTMLInputElement)) return null
  return { field: element.name, at: element.selectionEnd ?? element.value.length }
}

export function refocus(box: HTMLElement | null, focused: Focused | null): void {
  if (!box || !focused) return
  if ('text' in focused) {
    const all = [...box.querySelectorAll<HTMLElement>('a, button')]
    all.find(({ textContent }) => textContent === focused.text)?.focus({ preventScroll: true })
    return
  }
  const field = box.querySelector<HTMLInputElement>(`input[name="${focused.field}"]`)
  if (!field) return
  field.focus({ preventScroll: true })
  // A field for email has no caret to set; as a field for text it has, for a moment.
  const { type } = field
  field.type = 'text'
  field.setSelectionRange(focused.at, focused.at)
  field.type = type
}
