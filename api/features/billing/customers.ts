/**
 * Maps agencies to customers of the payment provider. Kept as records, because no domain rule depends on it; each
 * customer is created once.
 */
import type { RecordTable, Records } from '../../records/port.ts'
import type { Buyer, Payments } from './port.ts'

interface CustomerRecord {
  /** The agency's id. */
  readonly id: string
  readonly customerId: string
}

export class Customers {
  private constructor(private readonly table: RecordTable<CustomerRecord>) {}

  static async open(records: Records): Promise<Customers> {
    return new Customers(await records.table<CustomerRecord>({ table: 'billing_customers', unique: ['customerId'] }))
  }

  /** Null for an agency that never opened checkout. */
  async of(agencyId: string): Promise<string | null> {
    return (await this.table.get(agencyId))?.record.customerId ?? null
  }

  async agencyOf(customerId: string): Promise<string | null> {
    return (await this.table.find('customerId', customerId, 1))[0]?.id ?? null
  }

  /** Creates the customer on first use; simultaneous requests get the same one. @throws PaymentsError */
  async ensure(buyer: Buyer, payments: Payments): Promise<string> {
    const known = await this.of(buyer.agencyId)
    if (known !== null) return known
    const customerId = await payments.customer(buyer)
    await this.table.insert({ id: buyer.agencyId, customerId })
    return (await this.of(buyer.agencyId)) ?? customerId
  }
}
