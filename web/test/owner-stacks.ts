/**
 * React's development build keeps a stack trace for each of the first 10,000 elements of a second, for messages that
 * name where an element was made. They take a tenth of the component tests' processor time: here React begins beyond
 * that number. Its warnings stay.
 */
import * as React from 'react'

const internals: unknown = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE')
if (typeof internals === 'object' && internals !== null)
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Infinity, set: () => {} })
