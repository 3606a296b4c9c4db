/** Moves the browser to another agency of the signed-in person. */
import { chosenClient } from './chosen-client.ts'
import { keptReplies } from './kept-replies.ts'

const switched = 'agency-switched'

/** Loads the page anew for the session's other agency. Other tabs do the same, because they share the session. */
export function openAnotherAgency(): void {
  keptReplies.forget()
  chosenClient.forget()
  localStorage.setItem(switched, String(Date.now()))
  location.assign('/')
}

/** Loads this tab anew once another one has moved. Answers how to stop. */
export function followOtherTabs(): () => void {
  const look = ({ key }: StorageEvent) => {
    if (key === switched) location.assign('/')
  }
  window.addEventListener('storage', look)
  return () => window.removeEventListener('storage', look)
}
