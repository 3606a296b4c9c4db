/** What happens instead of a call: nothing is called unless `method` is. */
export type Around = (name: string, method: () => Promise<unknown>, args: readonly unknown[]) => Promise<unknown>

/** The same port, whose methods return promises: each call goes through a function that counts, delays or fails it. */
export function around<Port extends object>(port: Port, call: Around): Port {
  return new Proxy(port, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name)
      if (typeof found !== 'function') return found
      return (...args: unknown[]) => call(String(name), async () => Reflect.apply(found, target, args) as unknown, args)
    },
  })
}
