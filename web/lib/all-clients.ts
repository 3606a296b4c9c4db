/** In place of a client's id: the lists of all clients. No client has such an id. */
export const allClients = 'all'
