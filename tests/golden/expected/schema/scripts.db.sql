user_version = 1
application_id = 1214604396
page_size = 4096
encoding = UTF-8
CREATE TABLE heddle_values ( owner TEXT NOT NULL, key BLOB NOT NULL, value BLOB NOT NULL, UNIQUE (owner, key));
