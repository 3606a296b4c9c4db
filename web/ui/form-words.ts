/** The words of forms. In a file of their own, so that a form needs nothing of the signed-in screens. */
export const words = {
  pick: (what: string) => `Pick ${what}`,
  chooseA: (what: string) => `Choose a ${what}`,

  mailMissing: 'No email after a few minutes? Check the spam folder and the address.',
  mailMissingAt: 'No email after a few minutes? Check the spam folder and the address:',
  sendAgain: 'Change the address or send again',
} as const
