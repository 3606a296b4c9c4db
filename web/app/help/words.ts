/** The words of the list of keyboard shortcuts. */
export const words = {
  title: 'Keyboard shortcuts',
  singleKeys: 'Use single-key shortcuts',
  palette: 'Search and commands',
  goTo: (screen: string) => `Go to ${screen}`,
  newThing: 'New client, account or post',
  selector: 'Go to the client selector',
  nextPost: 'Next or previous post to review',
  selectPost: 'Select the post',
  approvePost: 'Approve the post, or the selected posts',
  rejectPost: 'Reject the post, or the selected posts',
  calendarDay: 'Calendar: next day or post',
  calendarWeek: 'Calendar: first or last day of the week',
  calendarPage: 'Calendar: previous or next month or week',
  calendarMenu: 'Calendar: posts of the day, and New post',
  sidebar: 'Open or close the sidebar',
  help: 'Show this list',
} as const
