/** The kinds of personal values, each with replacements of its own shape. */
export type PersonalKind =
  | 'email'
  | 'name'
  | 'phone'
  | 'document'
  | 'iban'
  | 'account'
  | 'user'
  | 'street'
  | 'place'
  | 'postalCode'
  | 'birth'

const kindByName: Readonly<Record<string, PersonalKind | 'by-shape'>> = {
  ...named('email', 'email', 'mail', 'emailaddress', 'useraddress', 'payersemail', 'payeremail', 'useremail'),
  ...named('email', 'customeremail', 'buyeremail', 'contactemail'),
  ...named('name', 'firstname', 'lastname', 'fullname', 'middlename', 'surname', 'givenname', 'familyname'),
  ...named('name', 'payername', 'customername', 'username', 'cardholder', 'cardholdername', 'accountholder'),
  ...named('name', 'accountholdername', 'holdername', 'beneficiaryname'),
  ...named('phone', 'phonenumber', 'phone', 'mobile', 'mobilenumber', 'msisdn', 'telephone'),
  ...named('document', 'docid', 'documentid', 'documentnumber', 'taxid', 'cpf', 'cnpj', 'ssn', 'passport'),
  ...named('document', 'passportnumber', 'nationalid'),
  ...named('iban', 'intlbankaccount', 'iban'),
  ...named(
    'account',
    'bankaccount',
    'accountnumber',
    'cardnumber',
    'pan',
    'cvv',
    'cvv2',
    'cvc',
    'securitycode',
  ),
  ...named('user', 'userid', 'customerid', 'payerid'),
  ...named('street', 'billingaddress', 'street', 'streetaddress', 'addressline1', 'addressline2'),
  ...named('postalCode', 'postalcode', 'postcode', 'zipcode'),
  ...named('birth', 'dateofbirth', 'birthdate', 'birthday'),
  pixkey: 'by-shape',
}

function named<Kind extends PersonalKind>(kind: Kind, ...names: readonly string[]): Record<string, Kind> {
  return Object.fromEntries(names.map((name) => [name, kind]))
}

/** Members of `billingData` and of other addresses, whose names alone say little. The country is no secret. */
const inAddress: Readonly<Record<string, PersonalKind>> = {
  address: 'street',
  city: 'place',
  state: 'place',
  region: 'place',
  zip: 'postalCode',
  name: 'name',
}

/** Members of a card. */
const inCard: Readonly<Record<string, PersonalKind>> = { number: 'account', holder: 'name', name: 'name' }

const cards = /^(payment|credit|debit|bank)?card(data|details)?$/

const addresses = /^(billing|shipping|postal|home)?(data|address)$|^(payer|customer|buyer|user)$/

const bare = (name: string): string => name.toLowerCase().replaceAll(/[-_.\s]/g, '')

/** The kind of personal value in a field; null for another field.
 *  @param parent the name of the field around it */
export function personalKind(name: string, parent: string, value: string): PersonalKind | null {
  const own = bare(name)
  const kind = Object.hasOwn(kindByName, own) ? kindByName[own] : undefined
  if (kind === 'by-shape') return kindByShape(value)
  if (kind !== undefined) return kind
  const around = bare(parent)
  const members = addresses.test(around) ? inAddress : cards.test(around) ? inCard : {}
  return Object.hasOwn(members, own) ? (members[own] ?? null) : null
}

/** A key of an instant-payment scheme is an e-mail, a phone number, a document number or random. */
function kindByShape(value: string): PersonalKind {
  if (value.includes('@')) return 'email'
  if (value.startsWith('+')) return 'phone'
  return /^[\d./-]+$/.test(value) ? 'document' : 'user'
}

/** The replacement of the n-th value of a kind. It has the shape that the service demands. */
export function replacement(kind: PersonalKind, n: number, value: string): string {
  switch (kind) {
    case 'email':
      return `person-${n}@example.com`
    case 'name':
      return `Name ${n}`
    case 'phone':
      return `+1${String(n).padStart(10, '0')}`
    case 'document':
      return `DOC-${String(n).padStart(6, '0')}`
    case 'iban':
      return ibanLike(value, n)
    case 'account':
      return `ACCOUNT-${String(n).padStart(6, '0')}`
    case 'user':
      return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
    case 'street':
      return `Street ${n}`
    case 'place':
      return `Place ${n}`
    case 'postalCode':
      return String(n).padStart(5, '0')
    case 'birth':
      return '1970-01-01'
  }
}

/** Matches replacements: a capture that was masked before stays as it is. */
export const replaced =
  /^(?:person-\d+@example\.com|Name \d+|\+1000\d{7}|DOC-\d{6,}|ACCOUNT-\d{6,}|00000000-0000-4000-8000-\d{12}|Street \d+|Place \d+|000\d\d|1970-01-01|[A-Z]{2}\d{2}0{6,}\d+)$/

/** Whether a text has the form and the check digits of an IBAN. */
export function isIban(text: string): boolean {
  const plain = text.replaceAll(' ', '')
  return /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(plain) && remainder(plain) === 1
}

/** Whether a text has the beginning, the length and the check digit of a card number. */
export function isCardNumber(text: string): boolean {
  const digits = text.replaceAll(/[ -]/g, '')
  if (!/^(?:4\d{12}(?:\d{3})?|(?:5[1-5]|2[2-7]|35|6[0245])\d{14}|3[47]\d{13}|3[068]\d{12})$/.test(digits))
    return false
  const sum = [...digits].toReversed().reduce((sum, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return sum + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/** Another valid IBAN of the same country and length. */
function ibanLike(value: string, n: number): string {
  const plain = value.replaceAll(' ', '').toUpperCase()
  const country = /^[A-Z]{2}/.exec(plain)?.[0] ?? 'DE'
  const digits = Math.min(30, Math.max(11, plain.length - 4))
  const account = String(n).padStart(digits, '0')
  const check = 98 - remainder(`${country}00${account}`)
  return `${country}${String(check).padStart(2, '0')}${account}`
}

/** The remainder by 97 of an IBAN, with letters as numbers and the first four characters at the end. */
function remainder(iban: string): number {
  let rest = 0
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest
}
