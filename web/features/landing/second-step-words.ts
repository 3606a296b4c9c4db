export const secondStepWords = {
  title: 'Two-step sign-in',
  text: 'Enter the code from your authenticator app.',
  textWithoutApp: 'Use your passkey, or enter one of your recovery codes.',
  code: 'Code',
  codeHint: 'Six digits. A recovery code works too.',
  recoveryCode: 'Recovery code',
  recoveryHint: 'Each recovery code works once.',
  action: 'Continue',
  checking: 'Checking…',
  passkey: 'Use your passkey',
  waiting: 'Waiting for your passkey…',
  back: 'Back to sign in',
} as const
