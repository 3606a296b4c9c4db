/** The words of the shell around every screen, and of its dialogs. */
export const words = {
  product: 'SocialAI',
  subtitle: 'Agency Platform',
  platform: 'Platform',
  skip: 'Skip to content',
  toggleSidebar: 'Toggle Sidebar',
  sidebar: 'Sidebar',
  signOut: 'Sign out',
  unknownUser: 'User',
  connection: 'Connection',
  offline: 'No connection to the server. Your text stays on this page. Trying again…',
  notice: 'Trial and subscription',
  dismiss: 'Dismiss',
  sessionEnded: 'Your session has ended',
  signInAgain: 'Sign in again to continue. Your unsaved text is still here.',

  screens: {
    dashboard: 'Dashboard',
    clients: 'Clients',
    content: 'Content',
    calendar: 'Calendar',
    analytics: 'Analytics',
    billing: 'Billing',
    settings: 'Settings',
    audit: 'Audit',
  },

  shortcuts: 'Keyboard shortcuts',
  palette: 'Search and commands',
  search: 'Search',
  theme: 'Theme',
} as const
