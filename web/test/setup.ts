/** Runs before each file of component tests. The files of a worker share its modules and its page. */
import { afterEach } from 'vitest'
import { closeApp } from './app.tsx'

afterEach(closeApp)
