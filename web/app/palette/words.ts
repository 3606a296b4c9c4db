/** The words of the palette. */
export const words = {
  title: 'Search and commands',
  placeholder: 'Search posts, clients and screens',
  results: 'Results',
  screens: 'Screens',
  audit: 'Audit',
  clients: 'Clients',
  posts: 'Posts',
  actions: 'Actions',
  newPost: 'New post',
  newPostFor: (client: string) => `New post for ${client}`,
  newClient: 'New client',
  searching: 'Searching posts…',
  failed: 'The posts could not be searched. Try again.',
  nothing: 'No results',
  keys: '↑ ↓ to move, Enter to open, Esc to close',
  hint: 'Type at least two characters to search posts.',
} as const
