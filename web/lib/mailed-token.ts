/**
 * The token in a link that was mailed. It stands after the hash, and is taken out of the address before anything else
 * of the page can read, keep or send it. Only this page's memory has it then: loading it anew takes the link again.
 */
const pages = /^\/(reset-password|confirm-(email|address)|invitation)\/?$/
const listeners = new Set<() => void>()
let token = ''

export const isOpenedByMail = (path: string) => pages.test(path)

function take(): void {
  const found = location.hash.slice(1)
  if (found === '' || !isOpenedByMail(location.pathname)) return
  token = found
  history.replaceState(history.state, '', location.pathname + location.search)
  for (const listener of listeners) listener()
}

take()
// Another link, opened where this one was.
window.addEventListener('hashchange', take)

export const mailedToken = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  get: () => token,
}

/** The shape of the server's tokens: any other was cut off. */
export const isWhole = (each: string) => /^[\w-]{43}$/.test(each)
