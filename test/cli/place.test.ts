import { expect, test } from 'vitest'
import { placeOf } from '../../src/cli/serve/start.ts'

const nothing = () => false
const only = (file: string) => (asked: string) => asked === file

test.each(['/.dockerenv', '/run/.containerenv'])('%s is what an engine leaves in a container', (file) => {
  expect(placeOf({}, only(file))).toBe('container')
})

test.each(['oci', 'podman', 'docker'])('an image says that it is one: container=%s', (container) => {
  expect(placeOf({ container }, nothing)).toBe('container')
})

test('a variable that Kubernetes gives each container makes it a pod, whatever else there is', () => {
  const env = { KUBERNETES_SERVICE_HOST: '10.96.0.1', container: 'oci' }
  expect(placeOf(env, only('/.dockerenv'))).toBe('pod')
})

test.each([
  ['nothing at all', {}],
  ['a system container, which is a machine rather', { container: 'lxc' }],
  ['empty variables', { KUBERNETES_SERVICE_HOST: '', container: '' }],
  ['a configured kubectl', { KUBECONFIG: '/home/a/.kube/config' }],
])('%s is no mark of a container', (_, env) => {
  expect(placeOf(env, nothing)).toBe('machine')
})
