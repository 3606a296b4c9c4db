/** Moves the browser to another agency of the signed-in person. */
import { chosenClient } from './chosen-client.ts'
import { keptReplies } from './kept-replies.ts'

const switched = 'agency-switched'

/** Moves this tab, and by it the others, to the session's other agency. */
export function openAnotherAgency(): void {
  localStorage.setItem(switched, String(Date.now()))
  openSessionsAgency()
}

/** Loads the page anew for the session's agency, without what the tab keeps of the one before. */
export function openSessionsAgency(): void {
  keptReplies.forget()
  chosenClient.forget()
  location.assign('/')
}

/** Moves this tab once another one has moved: they share the session. Answers how to stop. */
export function followOtherTabs(): () => void {
  const look = ({ key }: StorageEvent) => {
    if (key === switched) openSessionsAgency()
  }
  window.addEventListener('storage', look)
  return () => window.removeEventListener('storage', look)
}
