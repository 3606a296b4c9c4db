/** The server's own schemas for the forms. Loaded when a form is first touched, outside the entry. */
import './zod.ts'

export {
  agencyBody,
  clientProfileSchema,
  contentSchema,
  loginBody,
  newAccountSchema,
  registerBody,
} from '../../api/contract/index.ts'
