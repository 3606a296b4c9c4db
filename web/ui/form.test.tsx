import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { useSchemaForm } from './form.tsx'

const typed = 'four otters rowing home'
let root: Root
let page: HTMLElement
afterEach(() => {
  root.unmount()
  page.remove()
})

function Form() {
  const { form, formProps } = useSchemaForm({
    defaults: { name: '' },
    schema: async () => z.object({ name: z.string() }),
    submit: async () => undefined,
  })
  return (
    <form {...formProps}>
      <form.AppField name="name">{(field) => <field.Text label="Name" focusFirst />}</form.AppField>
    </form>
  )
}

/** What a browser does for a key. */
function type(input: HTMLInputElement, key: string): void {
  const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  setter?.call(input, input.value + key)
  input.dispatchEvent(new InputEvent('input', { bubbles: true }))
}

it('A form keeps what is typed from the moment on at which its field is there', async () => {
  page = document.body.appendChild(document.createElement('div'))
  root = createRoot(page)
  const appeared = new Promise<HTMLInputElement>((resolve) => {
    // Called right after React's commit, before anything that React does later.
    new MutationObserver((_, observer) => {
      const input = page.querySelector('input')
      if (!input) return
      observer.disconnect()
      for (const key of typed) type(input, key)
      resolve(input)
    }).observe(page, { childList: true, subtree: true })
  })
  root.render(<Form />)
  const input = await appeared
  expect(input.value).toBe(typed)
  await expect.poll(() => input.value).toBe(typed)
})
