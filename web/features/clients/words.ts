/** The words of the clients list. */
export const words = {
  title: 'Clients',
  about: "Your agency's client brands.",
  full: 'The Agency Plan includes up to 10 clients. Remove a client to add another.',
  count: (count: number, limit: number) => `${count}/${limit}`,
  newClient: 'New Client',

  loading: 'Loading clients',
  theClients: 'Your clients',
  none: 'No clients yet',
  noneText: 'Each client has its own branding, social accounts and posts.',
  addFirst: 'Add Your First Client',
  noDescription: 'No description',
  audience: 'Audience',
  tone: 'Tone',
  manage: 'Manage',
  manageClient: (client: string) => `Manage ${client}`,

  addTitle: 'Add New Client',
  addText: "Only the name is required. The other fields help the writer match the brand's voice.",
  create: 'Create Client',
  creating: 'Creating...',
  created: 'Client created!',
  createdText: 'You can now configure their social media accounts.',
} as const
