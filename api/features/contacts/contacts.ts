/** The people of a client who may be asked for review: names and addresses are records, their ids are in the log. */
import { contactLimit } from '../../../domain/client/commands.ts'
import type { Instant } from '../../../domain/core/event.ts'
import { later, type Clock } from '../../core/clock.ts'
import type { ClientCommands } from '../../core/commands.ts'
import type { RecordDefinition, Records, RecordTable } from '../../records/port.ts'

export interface ContactRecord {
  readonly id: string
  readonly clientId: string
  readonly agencyId: string
  readonly name: string
  readonly email: string
  /** The user. */
  readonly enteredBy: string
  readonly addedAt: Instant
}

/** As stored: an address is once in a client. */
export interface StoredContact extends ContactRecord {
  readonly addressInClient: string
}

export const contactsTable = {
  table: 'client_contacts',
  unique: ['addressInClient'],
  indexed: ['clientId', 'email'],
} as const satisfies RecordDefinition<StoredContact>

export interface Contacts {
  /** The contacts of a client, at most 20. */
  of(clientId: string): Promise<readonly ContactRecord[]>
  /** Null for an unknown contact, and for a removed one. */
  get(id: string): Promise<ContactRecord | null>
}

/** A record without its event, from a request that broke off, keeps its address taken for this long. */
const unfinishedMs = 60_000
/** Besides the contacts, those of requests that broke off. */
const maxFound = 5 * contactLimit

export class ContactBook implements Contacts {
  private constructor(
    private readonly records: RecordTable<StoredContact>,
    private readonly commands: Pick<ClientCommands, 'loadClient'>,
    private readonly clock: Clock,
  ) {}

  static async open(
    records: Records,
    commands: Pick<ClientCommands, 'loadClient'>,
    clock: Clock,
  ): Promise<ContactBook> {
    return new ContactBook(await records.table<StoredContact>(contactsTable), commands, clock)
  }

  async of(clientId: string): Promise<readonly ContactRecord[]> {
    const [{ state }, found] = await Promise.all([
      this.commands.loadClient(clientId),
      this.records.find('clientId', clientId, maxFound),
    ])
    return found.filter(({ id }) => state.contacts?.includes(id)).map(shown)
  }

  async get(id: string): Promise<ContactRecord | null> {
    const found = await this.#record(id)
    if (!found) return null
    const { state } = await this.commands.loadClient(found.clientId)
    return state.contacts?.includes(id) ? shown(found) : null
  }

  /** Before its event. False: the client has a contact with the address. */
  async put(contact: ContactRecord): Promise<boolean> {
    const addressInClient = `${contact.clientId} ${contact.email}`
    const record = { ...contact, addressInClient }
    if (await this.records.insert(record)) return true
    const [known] = await this.records.find('addressInClient', addressInClient, 1)
    if (!known) return this.records.insert(record)
    const isListed = known.id === contact.id || (await this.get(known.id)) !== null
    if (isListed || later(known.addedAt, unfinishedMs) > this.clock.now()) return false
    await this.records.remove(known.id)
    return this.records.insert(record)
  }

  async remove(clientId: string, id: string): Promise<void> {
    if ((await this.#record(id))?.clientId === clientId) await this.records.remove(id)
  }

  /** Deletes those of a removed client. */
  async removeOf(clientId: string): Promise<void> {
    for (let found = await this.records.find('clientId', clientId); found.length > 0;) {
      for (const { id } of found) await this.records.remove(id)
      found = await this.records.find('clientId', clientId)
    }
  }

  async #record(id: string): Promise<StoredContact | null> {
    return (await this.records.get(id))?.record ?? null
  }
}

const shown = ({ addressInClient: _, ...contact }: StoredContact): ContactRecord => contact
