import { history } from '../core/history.ts'
import { generationEvents } from './events.ts'

export const generationHistory = history(generationEvents, { ContentGenerated: 'ContentGenerated' })
