.headers on
.mode column
CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, price REAL, note BLOB);
INSERT INTO item VALUES (1, 'bolt', 0.1, NULL), (2, 'nut, "hex"', 0.05, x'cafe'), (3, 'gear', 12.5, 'a|b
c');
SELECT id, name, price FROM item;
.mode csv
SELECT * FROM item;
.mode json
SELECT * FROM item;
.mode markdown
SELECT id, name, price FROM item;
.mode box
SELECT id, name, price FROM item;
.mode table
SELECT id, name, price FROM item;
.mode insert item
SELECT * FROM item;
.mode line
SELECT * FROM item;
.mode html
SELECT id, name FROM item;
.mode quote
SELECT * FROM item;
.mode tabs
SELECT id, name, price FROM item;
.mode list
.separator ::
.nullvalue NULL
SELECT * FROM item;
.schema
.tables
.indexes
.dump
.show
.print a printed line
.echo on
SELECT 1;
.echo off
.parameter set :x 42
SELECT :x * 2;
.limit length
.nosuchcommand
.width 5 10
.import --csv --skip 1 rows.csv item
SELECT count(*) FROM item;
.output result.txt
SELECT * FROM item;
.output
.read more.sql
.bail on
SELECT * FROM missing;
SELECT 'not reached';
