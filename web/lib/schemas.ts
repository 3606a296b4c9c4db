/** The server's own schemas for the forms. Loaded when a form is first touched, outside the entry. */
import './zod.ts'

export {
  accountChangesSchema,
  agencyBody,
  changeEmailBody,
  changePasswordBody,
  clientProfileSchema,
  contentSchema,
  forgotPasswordBody,
  loginBody,
  newAccountSchema,
  registerBody,
  resetPasswordBody,
} from '../../api/contract/index.ts'
