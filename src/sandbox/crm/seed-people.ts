import { cycle } from '../cycle.ts';

/** Names and addresses of one country. */
interface Locale {
  readonly country: string;
  readonly prefix: string;
  readonly first: readonly string[];
  readonly last: readonly string[];
  /** City, post code and province. */
  readonly cities: readonly (readonly [string, string, string])[];
  readonly streets: readonly string[];
  /** A company after its owner. */
  readonly companies: readonly ((owner: string) => string)[];
}

const locales: readonly Locale[] = [
  {
    country: 'Poland',
    prefix: '+48 22',
    first: ['Agnieszka', 'Łukasz', 'Małgorzata', 'Paweł', 'Żaneta', 'Grzegorz', 'Joanna'],
    last: ['Kowalska', 'Nowak', 'Wójcik', 'Zieliński', 'Dąbrowska', 'Mazur', 'Krawczyk', 'Szymańska'],
    cities: [
      ['Warszawa', '00-372', 'mazowieckie'],
      ['Łódź', '90-001', 'łódzkie'],
      ['Gdańsk', '80-831', 'pomorskie'],
    ],
    streets: ['ul. Długa', 'ul. Piotrkowska', 'al. Wojska Polskiego', 'ul. Świętokrzyska'],
    companies: [
      (owner) => `${owner} i Synowie sp. z o.o.`,
      (owner) => `Stolarnia ${owner}`,
      (owner) => `Meble ${owner}`,
    ],
  },
  {
    country: 'Germany',
    prefix: '+49 40',
    first: ['Anke', 'Jürgen', 'Sabine', 'Björn', 'Käthe', 'Uwe', 'Leonie', 'Matthias', 'Heike'],
    last: ['Brandt', 'Möller', 'Faßbender', 'Jäger', 'Petersen', 'Schröder', 'Vogt'],
    cities: [
      ['Hamburg', '20457', 'Hamburg'],
      ['Köln', '50667', 'Nordrhein-Westfalen'],
      ['Lübeck', '23552', 'Schleswig-Holstein'],
    ],
    streets: ['Große Straße', 'Hafenweg', 'Am Markt', 'Lindenallee'],
    companies: [(owner) => `Tischlerei ${owner} GmbH`, (owner) => `Café ${owner}`, (owner) => `${owner} & Co. KG`],
  },
  {
    country: 'United Kingdom',
    prefix: '+44 117',
    first: ['Grace', 'Oliver', 'Siobhán', 'Rhys', 'Amara', 'Callum', 'Priya'],
    last: ["O'Connor", 'Hughes', 'Patel', 'Fairweather', 'MacLeod', 'Okonkwo', 'Ashdown', 'Whitby'],
    cities: [
      ['Bristol', 'BS1 4QA', 'England'],
      ['Leith', 'EH6 6LX', 'Scotland'],
    ],
    streets: ['Quay Street', 'High Street', 'Chandlers Lane'],
    companies: [(owner) => `${owner} & Daughters Ltd`, (owner) => `${owner} Interiors`, (owner) => `The ${owner} Inn`],
  },
  {
    country: 'France',
    prefix: '+33 2 40',
    first: ['Aurélie', 'François', 'Noémie', 'Théo', 'Zoé', 'Hélène', 'Rémi', 'Inès', 'Loïc'],
    last: ['Lefèvre', 'Dubois', 'Garçon', 'Moreau', 'Benoît', 'Chevalier', 'Roux'],
    cities: [
      ['Nantes', '44000', 'Pays de la Loire'],
      ['Saint-Étienne', '42000', 'Auvergne-Rhône-Alpes'],
    ],
    streets: ['rue de l’Église', 'quai de la Fosse', 'avenue Foch'],
    companies: [(owner) => `Atelier ${owner} SARL`, (owner) => `Hôtel ${owner}`, (owner) => `${owner} et Fils`],
  },
  {
    country: 'Spain',
    prefix: '+34 93',
    first: ['Begoña', 'Íñigo', 'María José', 'Andrés', 'Núria', 'Joaquín', 'Ainhoa'],
    last: ['Muñoz', 'García', 'Ibáñez', 'Peña', 'Soler', 'Vázquez', 'Etxeberria', 'Cano'],
    cities: [
      ['Barcelona', '08002', 'Barcelona'],
      ['Logroño', '26001', 'La Rioja'],
    ],
    streets: ['calle Mayor', 'plaça del Pi', 'avenida de España'],
    companies: [(owner) => `Muebles ${owner} S.L.`, (owner) => `Bodegas ${owner}`, (owner) => `Hermanos ${owner}`],
  },
  {
    country: 'Czechia',
    prefix: '+420 54',
    first: ['Tomáš', 'Kateřina', 'Jiří', 'Eliška', 'Ondřej', 'Šárka', 'Zdeněk', 'Lenka', 'Radek'],
    last: ['Novák', 'Dvořák', 'Říha', 'Kučera', 'Svoboda', 'Černý', 'Žižka'],
    cities: [
      ['Brno', '602 00', 'Jihomoravský kraj'],
      ['Plzeň', '301 00', 'Plzeňský kraj'],
    ],
    streets: ['Dlouhá', 'náměstí Míru', 'Příčná'],
    companies: [(owner) => `${owner} s.r.o.`, (owner) => `Truhlářství ${owner}`, (owner) => `Penzion ${owner}`],
  },
];

/** Composes a person from a number. The lists of a country have lengths without a common divisor, so that pairs differ. */
export function person(number: number) {
  const { country, prefix, ...locale } = cycle(locales, number);
  const round = Math.trunc(number / locales.length);
  const first_name = cycle(locale.first, round);
  const last_name = cycle(locale.last, round);
  const [city, post_code, province] = cycle(locale.cities, round);
  return {
    first_name,
    last_name,
    email: `${ascii(first_name)}.${ascii(last_name)}${number + 1}@${cycle(['example.com', 'example.org', 'example.net'], round)}`,
    phone: `${prefix} 555 ${String(1000 + ((number * 37) % 9000))}`,
    company: cycle(locale.companies, round)(last_name),
    street: cycle(locale.streets, round),
    street_no: String(1 + ((number * 7) % 120)),
    city,
    post_code,
    province,
    country,
  };
}

function ascii(name: string): string {
  const plain = name.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'ss').replaceAll(/[łŁ]/g, 'l');
  return plain.toLowerCase().replaceAll(/[^a-z]/g, '');
}
