import { networkContract } from '../suite.ts'
import { onSandbox, usual } from '../testing.ts'

networkContract({ ...usual, platform: 'facebook', sharesSeveral: true }, onSandbox('facebook'))
