import { expect, it } from 'vitest'
import { chosenClient } from './chosen-client.ts'
import { followOtherTabs } from './other-agency.ts'

it('A tab that follows another one to its agency forgets the client that was chosen in the one before', () => {
  chosenClient.keep(crypto.randomUUID())
  const stop = followOtherTabs()
  window.dispatchEvent(new StorageEvent('storage', { key: 'agency-switched' }))
  stop()
  expect(chosenClient.searchOf('/content')).toEqual({})
})
