import { history } from '../core/history.ts'
import { sampleEvents } from './events.ts'

export const sampleHistory = history(sampleEvents, {
  SampleFiguresAdded: 'SampleFiguresAdded',
  SampleFiguresRemoved: 'SampleFiguresRemoved',
})
