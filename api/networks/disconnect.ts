/** Disconnects a social account, and deletes the keys of accounts that are not connected. */
import type { Logger } from 'pino'
import type { CommandContext } from '../core/command-handler.ts'
import type { Commands } from '../core/commands.ts'
import type { AccountOf } from './connections.ts'
import { giveBack } from './give-back.ts'
import type { Connection, Networks } from './port.ts'
import { VaultError } from './token-cipher.ts'
import type { Vault } from './vault.ts'

export interface DisconnectPorts {
  readonly commands: Commands
  readonly vault: Vault
  readonly networks: Networks
  readonly log: Logger
}

type Account = Pick<AccountOf, 'accountId' | 'clientId'>

/** Appends the disconnect and deletes the account's keys. */
export async function disconnectAccount(
  ports: DisconnectPorts,
  account: Account,
  by: CommandContext,
): ReturnType<Commands['client']> {
  const { accountId, clientId } = account
  const command = { type: 'DisconnectSocialAccount', accountId, because: 'asked' } as const
  const result = await ports.commands.client(clientId, command, by)
  if (!('refused' in result)) await deleteKeysIfDisconnected(ports, account)
  return result
}

/**
 * Deletes an account's keys unless the log shows it as connected, and revokes them at the network in the background.
 * It reads the keys before the log and deletes only what it read, so that a reconnect in between keeps its keys.
 */
export async function deleteKeysIfDisconnected(
  { commands, vault, ...ports }: DisconnectPorts,
  { accountId, clientId }: Account,
): Promise<void> {
  for (;;) {
    const version = await vault.versionOf(accountId)
    if (version === null) return
    const connection = await readableKeys(vault, accountId)
    const account = (await commands.loadClient(clientId)).state.accounts[accountId]
    if (account?.isConnected) return
    if (!(await vault.remove(accountId, version))) continue
    if (account && connection) giveBack(ports, { accountId, ...account }, connection)
    return
  }
}

/** Null when the account has none, or they can't be decrypted: they can't be revoked at the network then. */
export async function readableKeys(vault: Vault, accountId: string): Promise<Connection | null> {
  try {
    return await vault.get(accountId)
  } catch (error) {
    if (error instanceof VaultError) return null
    throw error
  }
}
