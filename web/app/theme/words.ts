/** The words of the theme switch. */
export const words = {
  title: 'Theme',
  names: { system: 'System', light: 'Light', dark: 'Dark' },
} as const
