/** The server's own schemas for the forms. Loaded when a form is first touched, outside the entry. */
import './zod.ts'

export {
  accountChangesSchema,
  agencyBody,
  changeEmailBody,
  changePasswordBody,
  clientProfileSchema,
  codeBody,
  contactBody,
  contentSchema,
  forgotPasswordBody,
  loginBody,
  newAccountSchema,
  ownNameBody,
  passwordProof,
  registerBody,
  renamePasskeyBody,
  resetPasswordBody,
} from '../../api/contract/index.ts'
