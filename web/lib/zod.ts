/** Imported before any schema: a strict content security policy allows no generated code. */
import { z } from 'zod'

z.config({ jitless: true })
